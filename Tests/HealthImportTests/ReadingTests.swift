import Glibc
import HealthImport
import Testing

/// Files, descriptors and chunks.
struct ReadingTests {
  private static let everything = export(
    """
    <!-- <Workout/> --><![CDATA[<Workout>]]><Record a="x > y" b='"'/><?note <a?>
    \(element("note=\"a > b &amp; 'c'\"", children: """
      <!-- </Workout> --><![CDATA[</Workout> ]] ]]]><WorkoutActivity uuid="1">\
      \(statistics("ActiveEnergyBurned", #"sum="9" unit="kcal""#))\(event("Pause", "10:01:00"))\
      </WorkoutActivity>\(statistics("ActiveEnergyBurned", #"sum="7" unit="kcal""#))
      """))
    <Workout broken here/><Workout
     workoutActivityType="HKWorkoutActivityTypeTaiChi" startDate="2024-05-01T10:00:00Z"
     endDate="2024-05-01T10:00:00Z" sourceName="Mia’s Watch"
    /><Workout ><A></Workout
    >
    """,
    documentType: """
      <!DOCTYPE HealthData [
      <!-- it's <HealthDat a comment ]] -->
      <!ATTLIST A b CDATA #IMPLIED
      ] >
      """)

  @Test func `an export with everything in it`() throws {
    let found = try items(of: Self.everything)
    #expect(found.map { $0.workout?.activityName } == ["Running", nil, "Tai Chi", nil])
    #expect(found.map { $0.workout?.line ?? $0.problem?.line } == [9, 10, 10, 13])
    #expect(found[0].workout?.energyKilocalories == 7)
    #expect(found[0].workout?.pausedMilliseconds == 0)
    #expect(found[2].workout?.sourceName == "Mia’s Watch")
  }

  @Test func `where the chunks are cut makes no difference`() throws {
    let bytes = Array(Self.everything.utf8)
    let whole = try items(of: bytes)
    for chunkBytes in 1..<bytes.count {
      #expect(try items(of: bytes, chunkBytes: chunkBytes) == whole)
    }
  }

  @Test func `every way to cut a broken export in two gives the same`() throws {
    let text = "<HealthData><Record a=\"><Workout a=\"<Workout/>\(element())<Workout a='"
    let bytes = Array(text.utf8)
    let whole = try items(of: bytes)
    #expect(whole.count == 4)
    for chunkBytes in 1..<bytes.count {
      #expect(try items(of: bytes, chunkBytes: chunkBytes) == whole)
    }
  }

  @Test func `no byte that changes can stop the reading`() throws {
    let bytes = Array(Self.everything.utf8)
    for index in bytes.indices {
      for byte in Array("<>\"-\u{0}".utf8) {
        var changed = bytes
        changed[index] = byte
        #expect(try items(of: changed) == items(of: changed, chunkBytes: 7))
      }
    }
  }

  @Test func `an export may end after any byte`() throws {
    let bytes = Array(Self.everything.utf8)
    let root = try #require(bytes.indices.first { bytes[$0...].starts(with: "<HealthData ".utf8) })
    for count in (root + 12)..<(bytes.count - 2) {
      let found = try items(of: Array(bytes[..<count]))
      #expect(found.last?.problem?.reason == .truncated)
    }
  }

  @Test func `an export without workouts succeeds with none`() throws {
    #expect(try items(of: export("<Record/>")).isEmpty)
    #expect(try items(of: "<HealthData locale='en_NL'/>").isEmpty)
  }

  @Test func `a byte order mark and a missing prolog or root are fine`() throws {
    #expect(try items(of: "\u{FEFF}" + export(element())).count == 1)
    #expect(try items(of: "<HealthData>\(element())</HealthData>").count == 1)
    #expect(try items(of: element() + "\n" + element()).compactMap(\.workout).count == 2)
  }

  @Test func `a DTD without its end ends with the root`() throws {
    let text = export(element(), documentType: "<!DOCTYPE HealthData [ <!ELEMENT Me EMPTY")
    #expect(try items(of: text).compactMap(\.workout).count == 1)
  }

  @Test func `a file is read by path and by descriptor`() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = try folder.write(Self.everything, as: "export.xml")
    var found: [ImportItem] = []
    let counts = try AppleHealthReader().read(path: path) { found.append($0) }
    #expect(try found == items(of: Self.everything))
    #expect(counts.workouts == 2)
    #expect(counts.skipped == 2)
    #expect(counts.bytes == Self.everything.utf8.count)

    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    #expect(try AppleHealthReader().read(descriptor: descriptor) { _ in } == counts)
  }

  @Test func `a file that cannot be opened or read says why`() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(try errno { try read(folder.path + "/none.xml") } == ENOENT)
    #expect(try errno { try read(folder.path) } == EISDIR)
    #expect(try errno { _ = try ExportFolder.exportPath(in: folder.path + "/none") } == ENOENT)
  }

  @Test func `what the receiver throws ends the import`() throws {
    struct Full: Error {}
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = try folder.write(export(element() + element()), as: "export.xml")
    var received = 0
    #expect {
      try AppleHealthReader().read(path: path) { _ in
        received += 1
        throw Full()
      }
    } throws: { error in
      if case HealthImportError.receiverFailed(let cause) = error { cause is Full } else { false }
    }
    #expect(received == 1)
  }

  @Test func `XML-05: the export is found by its head, whatever its name`() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try folder.write("<?xml version=\"1.0\"?><ClinicalDocument/>", as: "a_export_cda.xml")
    _ = try folder.write(export(element()), as: "notes.txt")
    #expect {
      try ExportFolder.exportPath(in: folder.path)
    } throws: { error in
      if case HealthImportError.noExportInFolder = error { true } else { false }
    }
    let path = try folder.write(
      export(element(), documentType: "<!DOCTYPE HealthData [ ]>"), as: "eksport.xml")
    #expect(try ExportFolder.exportPath(in: folder.path) == path)
  }

  private func read(_ path: String) throws {
    _ = try AppleHealthReader().read(path: path) { _ in }
  }

  private func errno(_ body: () throws -> Void) throws -> Int32 {
    do {
      try body()
    } catch HealthImportError.fileUnreadable(let errno) {
      return errno
    }
    return 0
  }
}
