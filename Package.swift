// swift-tools-version: 6.2
//
// Products, smallest first:
//
//   CGrammarMask               the engine, C11, needs libc alone
//   GrammarMask                the Swift module over it
//   GrammarMaskCompatibility   the names, kinds and defaults of Core AI's package, over GrammarMask
//   CGrammarMaskFiles          readers for tokenizer files; the only part that needs json-c
//   GrammarMaskFiles           Vocabulary(file:) over it
//
// Tools version 6.2 is what treatAllWarnings needs; SwiftPM drops that setting for packages that depend on this one.
// Both C targets stand at the root because their headers do: `-Iinclude` serves make, `publicHeadersPath` serves SwiftPM.

import PackageDescription

let modules = ["base", "json", "lex", "schema", "form", "machine", "vocab", "mask", "match", "api"]

let cSettings: [CSetting] = [.headerSearchPath("csrc"), .treatAllWarnings(as: .error)]

let swiftSettings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "GrammarMask",
  // The oldest systems that have Float16.
  platforms: [.macOS(.v11), .macCatalyst(.v14), .iOS(.v14), .tvOS(.v14), .watchOS(.v7), .visionOS(.v1)],
  products: [
    .library(name: "CGrammarMask", targets: ["CGrammarMask"]),
    .library(name: "GrammarMask", targets: ["GrammarMask"]),
    .library(name: "GrammarMaskCompatibility", targets: ["GrammarMaskCompatibility"]),
    .library(name: "CGrammarMaskFiles", targets: ["CGrammarMaskFiles"]),
    .library(name: "GrammarMaskFiles", targets: ["GrammarMaskFiles"]),
  ],
  targets: [
    .target(
      name: "CGrammarMask", path: ".", sources: modules.map { "csrc/" + $0 }, publicHeadersPath: "include",
      cSettings: cSettings),
    .target(name: "GrammarMask", dependencies: ["CGrammarMask"], swiftSettings: swiftSettings),
    .target(name: "GrammarMaskCompatibility", dependencies: ["GrammarMask"], swiftSettings: swiftSettings),

    .systemLibrary(
      name: "CJsonC", pkgConfig: "json-c", providers: [.apt(["libjson-c-dev"]), .brew(["json-c"])]),
    .target(
      name: "CGrammarMaskFiles", dependencies: ["CGrammarMask", "CJsonC"], path: ".", sources: ["csrc/files"],
      publicHeadersPath: "include-files", cSettings: cSettings),
    .target(
      name: "GrammarMaskFiles", dependencies: ["GrammarMask", "CGrammarMask", "CGrammarMaskFiles"],
      swiftSettings: swiftSettings),

    // The sample of the README: `swift run FirstMask`.
    .executableTarget(name: "FirstMask", dependencies: ["GrammarMask"], path: "examples/swift", swiftSettings: swiftSettings),

    // What Swift adds to the C calls: `swift run -c release SwiftCost`.
    .executableTarget(
      name: "SwiftCost", dependencies: ["GrammarMask", "CGrammarMask"], path: "Tests/SwiftCost",
      swiftSettings: swiftSettings),

    .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter", cSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "GrammarMaskTests", dependencies: ["GrammarMask", "CAllocationCounter"], swiftSettings: swiftSettings),
    .testTarget(
      name: "GrammarMaskCompatibilityTests", dependencies: ["GrammarMaskCompatibility"], swiftSettings: swiftSettings),
    .testTarget(name: "GrammarMaskFilesTests", dependencies: ["GrammarMaskFiles"], swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11
)
