/// What a database of ours must look like, and how an older one becomes so.
struct Schema: Sendable {
  /// The `application_id` in the header: keeps one kind of file from being taken for another.
  let application: Int64
  /// Entry n turns version n into n + 1 and ends with the `user_version` pragma that says so; the
  /// first also sets the `application_id`. An entry is never changed once it was released.
  let migrations: [StaticString]

  /// The version this program writes.
  var version: Int64 { Int64(migrations.count) }
}

extension Schema {
  /// `journal.db`. Its application id is "WrJ1".
  ///
  /// A checkpoint's parts stand in the order they are read: facets alone serve a cold launch, and
  /// SQLite walks a row's overflow pages from the front.
  static let journal = Schema(
    application: 0x5772_4a31,
    migrations: [
      """
      CREATE TABLE starts (
        number INTEGER PRIMARY KEY,
        epoch BLOB NOT NULL UNIQUE CHECK (length(epoch) = 16),
        started_ms INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE journal (
        sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
        epoch BLOB NOT NULL CHECK (length(epoch) = 16),
        checksum INTEGER NOT NULL,
        bytes BLOB NOT NULL
      ) STRICT;
      CREATE TABLE checkpoints (
        account BLOB PRIMARY KEY NOT NULL CHECK (length(account) = 16),
        through_row INTEGER NOT NULL CHECK (through_row >= 0),
        facets_checksum INTEGER NOT NULL,
        facets BLOB NOT NULL,
        ledger_checksum INTEGER NOT NULL,
        ledger BLOB NOT NULL,
        state_checksum INTEGER NOT NULL,
        state BLOB NOT NULL
      ) STRICT;
      CREATE TABLE folding (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        through_row INTEGER NOT NULL CHECK (through_row >= 0)
      ) STRICT;
      INSERT INTO folding (id, through_row) VALUES (1, 0);
      PRAGMA application_id = 0x57724a31;
      PRAGMA user_version = 1;
      """,
      // The bytes of attachments, as they were uploaded: `start` is where a piece begins.
      """
      CREATE TABLE pieces (
        account BLOB NOT NULL CHECK (length(account) = 16),
        hash BLOB NOT NULL CHECK (length(hash) = 32),
        start INTEGER NOT NULL CHECK (start >= 0),
        checksum INTEGER NOT NULL,
        bytes BLOB NOT NULL CHECK (length(bytes) > 0),
        PRIMARY KEY (account, hash, start)
      ) STRICT;
      PRAGMA user_version = 2;
      """,
    ])

  /// `devices.db`. Its application id is "WrD1".
  ///
  /// An erased account keeps its id and nothing else.
  static let devices = Schema(
    application: 0x5772_4431,
    migrations: [
      """
      CREATE TABLE starts (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        count INTEGER NOT NULL
      ) STRICT;
      INSERT INTO starts (id, count) VALUES (1, 0);
      CREATE TABLE accounts (
        id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
        name BLOB UNIQUE CHECK (length(name) BETWEEN 1 AND 128),
        zone TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        erased INTEGER NOT NULL CHECK (erased IN (0, 1)),
        CHECK ((name IS NULL) = erased)
      ) STRICT;
      CREATE TABLE devices (
        id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
        account BLOB NOT NULL REFERENCES accounts (id),
        kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 255),
        name BLOB NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
        token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
        created_ms INTEGER NOT NULL,
        revoked_ms INTEGER
      ) STRICT;
      CREATE INDEX devices_of_account ON devices (account);
      PRAGMA application_id = 0x57724431;
      PRAGMA user_version = 1;
      """,
      // Rows get a checksum; `sealed` says that all have one, so that a missing one is damage.
      """
      ALTER TABLE accounts ADD COLUMN checksum INTEGER;
      ALTER TABLE devices ADD COLUMN checksum INTEGER;
      ALTER TABLE starts ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0;
      PRAGMA user_version = 2;
      """,
    ])
}
