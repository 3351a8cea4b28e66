/// The exercises that every account has from the start, and the search over them and its own.
public enum ExerciseLibrary {
  /// First half of every starter's id: "WristEx1" in ASCII. No device draws such an id.
  public static let idHigh: UInt64 = 0x5772_6973_7445_7831

  /// Second half of the id, name, equipment. Ids are stored in routines and in history: a row is
  /// never given another meaning, and never removed.
  private static let table: [(low: UInt64, name: String, equipment: Equipment)] = [
    (0x01, "Back squat", .barbell),
    (0x02, "Front squat", .barbell),
    (0x03, "Deadlift", .barbell),
    (0x04, "Romanian deadlift", .barbell),
    (0x05, "Bench press", .barbell),
    (0x06, "Incline bench press", .barbell),
    (0x07, "Overhead press", .barbell),
    (0x08, "Bent-over row", .barbell),
    (0x09, "Hip thrust", .barbell),
    (0x0A, "Barbell curl", .barbell),
    (0x0B, "Power clean", .barbell),
    (0x0C, "Good morning", .barbell),
    (0x0D, "Goblet squat", .dumbbell),
    (0x0E, "Dumbbell lunge", .dumbbell),
    (0x0F, "Dumbbell step-up", .dumbbell),
    (0x10, "Dumbbell bench press", .dumbbell),
    (0x11, "Incline dumbbell press", .dumbbell),
    (0x12, "Dumbbell shoulder press", .dumbbell),
    (0x13, "Lateral raise", .dumbbell),
    (0x14, "Rear delt fly", .dumbbell),
    (0x15, "One-arm row", .dumbbell),
    (0x16, "Dumbbell curl", .dumbbell),
    (0x17, "Hammer curl", .dumbbell),
    (0x18, "Overhead triceps extension", .dumbbell),
    (0x19, "Dumbbell Romanian deadlift", .dumbbell),
    (0x1A, "Leg press", .machine),
    (0x1B, "Leg extension", .machine),
    (0x1C, "Leg curl", .machine),
    (0x1D, "Calf raise machine", .machine),
    (0x1E, "Chest press", .machine),
    (0x1F, "Pec deck", .machine),
    (0x20, "Shoulder press machine", .machine),
    (0x21, "Seated row machine", .machine),
    (0x22, "Assisted pull-up", .machine),
    (0x23, "Hack squat", .machine),
    (0x24, "Back extension", .machine),
    (0x25, "Lat pulldown", .cable),
    (0x26, "Seated cable row", .cable),
    (0x27, "Cable fly", .cable),
    (0x28, "Triceps pushdown", .cable),
    (0x29, "Face pull", .cable),
    (0x2A, "Cable curl", .cable),
    (0x2B, "Cable crunch", .cable),
    (0x2C, "Cable pull-through", .cable),
    (0x2D, "Kettlebell swing", .kettlebell),
    (0x2E, "Kettlebell goblet squat", .kettlebell),
    (0x2F, "Kettlebell clean and press", .kettlebell),
    (0x30, "Turkish get-up", .kettlebell),
    (0x31, "Kettlebell snatch", .kettlebell),
    (0x32, "Band pull-apart", .band),
    (0x33, "Band row", .band),
    (0x34, "Band squat", .band),
    (0x35, "Band shoulder press", .band),
    (0x36, "Push-up", .body),
    (0x37, "Pull-up", .body),
    (0x38, "Chin-up", .body),
    (0x39, "Dip", .body),
    (0x3A, "Bodyweight squat", .body),
    (0x3B, "Split squat", .body),
    (0x3C, "Walking lunge", .body),
    (0x3D, "Plank", .body),
    (0x3E, "Side plank", .body),
    (0x3F, "Hanging leg raise", .body),
    (0x40, "Sit-up", .body),
    (0x41, "Burpee", .body),
    (0x42, "Inverted row", .body),
    (0x43, "Pike push-up", .body),
    (0x44, "Glute bridge", .body),
    (0x45, "Farmer's carry", .other),
    (0x46, "Sled push", .other),
    (0x47, "Battle ropes", .other),
    (0x48, "Medicine ball slam", .other),
  ]

  /// The starter set, in the order of its ids.
  public static let starter: [Exercise] = table.map { row in
    Exercise(
      id: ExerciseID(high: idHigh, low: row.low), name: row.name, equipment: row.equipment)
  }

  /// Whether an id is one that the starter set has, or may get.
  public static func isReserved(_ id: Identifier<some Any>) -> Bool { id.high == idHigh }

  /// A starter by its id.
  public static func exercise(_ id: ExerciseID) -> Exercise? {
    // Ids count from 1 in the order of the table; a test holds that.
    guard isReserved(id), id.low >= 1, id.low <= UInt64(starter.count) else { return nil }
    return starter[Int(id.low) - 1]
  }

  /// The exercises of `list` that a search for `text` finds, and which are done with `equipment`
  /// when it is given, in the order of the search.
  public static func search(
    _ text: String, equipment: Equipment? = nil, in list: [Exercise]
  ) -> [Exercise] {
    let search = NameSearch(text)
    return list.compactMap { exercise -> (exercise: Exercise, place: NameSearch.Place)? in
      if let equipment, exercise.equipment != equipment { return nil }
      guard search.finds(exercise.name) else { return nil }
      return (exercise, search.place(of: ExerciseKey(name: exercise.name, id: exercise.id)))
    }.sorted { $0.place < $1.place }.map(\.exercise)
  }
}
