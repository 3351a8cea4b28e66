internal import CommandLineTool
internal import FaultProxy

/// The program: a proxy between clients and a server that delays, cuts, splits, damages and resets.
let faultProxy = Tool(
  name: "fault-proxy",
  command: CommandDescription(
    summary: "Passes connections on to a server, and does to them what networks do.",
    options: [
      .value(
        "listen", "ADDRESS", "Where clients come to; port 0 picks one. Default: 127.0.0.1:7421."),
      .value("server", "ADDRESS", "Where the server is.", isRequired: true),
      .value("delay", "A..B", "Holds each block of bytes so long, such as 20ms..80ms."),
      .value("split", "A..B", "Passes bytes on in writes of so many, such as 1..7."),
      .value("corrupt", "POINT", "Turns one bit over in the byte behind the point."),
      .value("cut-after", "POINT", "Ends the connection in order there, on both sides."),
      .value("reset", "POINT", "Ends it in a reset there."),
      .value("half-close", "POINT", "Ends the stream there; the other direction goes on."),
      .value("stall", "POINT", "Passes nothing on from there, in either direction."),
      .flag("up", "Faults from client to server only."),
      .flag("down", "Faults from server to client only."),
      .value("first", "N", "Faults for the first N connections only."),
      .value("seed", "N", "Decides every fault. Default: 1."),
      .flag("control", "Reads commands from stdin; see below."),
      .flag("json", "Prints statistics as one JSON object."),
    ],
    sections: [
      .init(
        "Addresses",
        ["HOST:PORT (an IPv4 address, [IPV6] or localhost) or unix:PATH, on either side"]),
      .init(
        "Points",
        [
          "BYTES  behind exactly so many bytes of each connection and direction",
          "1/N    on average once in N bytes; each distance is drawn from 1 to 2N - 1",
          "The same seed gives the same faults to the same connection, counted from the start,",
          "however the network cuts its bytes.",
        ]),
      .init(
        "Commands, one a line",
        [
          "cut     ends every connection in order",
          "reset   ends every connection in a reset",
          "stall   passes nothing on any more on the connections there are",
          "pause   passes nothing on until resume; nothing is lost",
          "resume",
          "stats   prints the statistics so far",
        ]),
    ],
    examples: [
      .init(
        "fault-proxy --server 127.0.0.1:7420 --delay 20ms..80ms --split 1..7",
        "a slow network that tears every frame apart; clients come to 127.0.0.1:7421"),
      .init(
        "fault-proxy --server 127.0.0.1:7420 --listen unix:/tmp/faulty.sock --reset 1/20000",
        "resets connections after 20,000 bytes on average"),
      .init(
        "fault-proxy --server 127.0.0.1:7420 --down --cut-after 300 --first 1",
        "cuts the first connection within the server's answers"),
      .init(
        "fault-proxy --server unix:d/w.sock --control", "passes everything on until stdin says more"
      ),
    ],
    endings: [
      .init(.ok, "interrupted; the statistics are printed"),
      .init(.failed, "failed; stderr says why"), .init(.usage, "the command line makes no sense"),
    ]))
