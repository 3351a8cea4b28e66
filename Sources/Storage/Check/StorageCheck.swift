internal import SQLite
internal import WatchTransfer

/// Looks over a data directory no server uses: the databases, the journal's numbers and checksums.
/// It changes nothing; a write-ahead log that a crash left is read and stays.
public enum StorageCheck {
  /// A look at the same journal by somebody who knows what the bytes mean.
  public typealias Replay = (any JournalReading) throws -> [Finding]

  /// Everything that is wrong; empty if nothing is.
  ///
  /// - Parameter directory: locked by the caller, so that no server runs.
  /// - Parameter replay: called when the journal has no other fault, to compare what its rows yield
  ///   with the checkpoints.
  public static func check(directory: DataDirectory, replay: Replay? = nil) -> [Finding] {
    var journal = FindingList(.journal)
    if let connection = open(.journal, .journal, directory, &journal) {
      check(connection, replay, &journal)
    }
    var devices = FindingList(.devices)
    if let connection = open(.devices, .devices, directory, &devices) {
      checkDevices(connection, &devices)
    }
    return journal.findings + devices.findings
  }

  /// Everything that is wrong with a copy. `damaged` collects the accounts whose checkpoints are
  /// not what was written; nil: they are findings as all else.
  static func check(
    image: StoreImage, deviceRows: Bool, damaged: inout Set<AccountID>?, replay: Replay?
  ) -> [Finding] {
    var journal = FindingList(.journal)
    journal.damaged = damaged
    if let connection = open(.journal, .journal, image, &journal) {
      check(connection, replay, &journal)
    }
    damaged = journal.damaged
    var devices = FindingList(.devices)
    if let connection = open(.devices, .devices, image, &devices) {
      if deviceRows {
        checkDevices(connection, &devices)
      } else {
        look(over: connection, .devices, &devices)
      }
    }
    return journal.findings + devices.findings
  }

  /// Everything that is wrong with an open journal.
  static func check(journal connection: Connection, replay: Replay?) -> [Finding] {
    var list = FindingList(.journal)
    check(connection, replay, &list)
    return list.findings
  }

  /// Everything that is wrong with an open list of devices.
  static func check(devices connection: Connection) -> [Finding] {
    var list = FindingList(.devices)
    checkDevices(connection, &list)
    return list.findings
  }

  /// The database, and then each row against its checksum.
  private static func checkDevices(_ connection: Connection, _ list: inout FindingList) {
    look(over: connection, .devices, &list)
    do {
      for damage in try DeviceStore.list(DeviceStatements(connection)).damage {
        list.add(.unreadable(damage))
      }
    } catch {
      list.add(error, in: .devices)
    }
  }

  /// Opens a database; nil if there is no use in going on.
  private static func open(
    _ file: DataFile, _ schema: Schema, _ directory: DataDirectory, _ list: inout FindingList
  ) -> Connection? {
    do {
      try directory.expectWhole(file)
      guard try directory.bytes(of: file.name) != nil else {
        list.add(.missing)
        return nil
      }
      let (connection, identity) = try StoreFile.identify(file, schema, in: directory)
      if identity.version < schema.version {
        list.add(.olderVersion(found: identity.version, known: schema.version))
        return nil
      }
      return connection
    } catch {
      list.add(.unreadable(error))
      return nil
    }
  }

  /// Opens a database of a copy, for reading alone; nil if there is no use in going on.
  private static func open(
    _ file: DataFile, _ schema: Schema, _ image: StoreImage, _ list: inout FindingList
  ) -> Connection? {
    do {
      return try image.open(file, schema)
    } catch {
      list.add(.unreadable(error))
      return nil
    }
  }

  /// Has SQLite look at all of a database.
  private static func look(
    over connection: Connection, _ file: DataFile, _ list: inout FindingList
  ) {
    do {
      let faults = try reading(file) { () throws(SQLiteError) in
        try connection.integrityFaults(.full)
      }
      for fault in faults { list.add(.damage(fault)) }
    } catch {
      list.add(error, in: file)
    }
  }

  private static func check(
    _ connection: Connection, _ replay: Replay?, _ list: inout FindingList
  ) {
    look(over: connection, .journal, &list)
    checkRowsAndCheckpoints(connection, &list)
    if list.isEmpty, let replay { run(replay, connection, &list) }
  }

  private static func checkRowsAndCheckpoints(
    _ connection: Connection, _ list: inout FindingList
  ) {
    do {
      let reader = try JournalReader(connection)
      let folded = try reader.foldedThrough
      let newest = try checkRows(reader, folded, &list)
      if folded > newest, newest > 0 {
        list.add(.foldedAhead(foldedThrough: folded, lastSequence: newest))
      }
      let lastSequence = max(newest, folded)
      try reader.scanCheckpoints { account, scanned in
        guard case .intact(let checkpoint) = scanned else {
          return list.addDamaged(account)
        }
        if checkpoint.throughRow > lastSequence {
          list.add(
            .checkpointAhead(
              account: account, throughRow: checkpoint.throughRow, lastSequence: lastSequence))
        }
      }
    } catch {
      list.add(error, in: .journal)
    }
  }

  /// Every row's checksum, and that each follows the one before; the newest sequence, 0 for none.
  private static func checkRows(
    _ reader: JournalReader, _ folded: Int64, _ list: inout FindingList
  ) throws -> Int64 {
    var newest: Int64 = 0
    try reader.scanRows(after: 0) { sequence, scanned in
      // Only rows that are folded may have been dropped before the oldest that is kept.
      let expected = newest == 0 ? min(sequence, folded + 1) : newest + 1
      if sequence > expected { list.add(.rowsMissing(expected...(sequence - 1))) }
      newest = sequence
      if case .damaged = scanned { list.add(.rowChecksum(sequence: sequence)) }
    }
    return newest
  }

  private static func run(
    _ replay: Replay, _ connection: Connection, _ list: inout FindingList
  ) {
    do {
      list.findings += try replay(JournalReader(connection))
    } catch {
      list.add(error, in: .journal)
    }
  }
}
