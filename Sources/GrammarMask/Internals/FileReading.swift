// Reads a file through C's stdio, so that the module does without Foundation.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(WASILibc)
  import WASILibc
#elseif canImport(CRT)
  import CRT
#endif

/// The bytes of a file, but no more than `limit` of them: an endless file must not become endless memory.
func readFile(_ path: String, atMost limit: Int) throws(GrammarMaskError) -> [UInt8] {
  try refuseNul(in: path, "the path")
  guard let file = fopen(path, "rb") else { throw unreadable(path) }
  defer { fclose(file) }

  let pieceSize = 1 << 16
  var bytes: [UInt8] = []
  while bytes.count < limit {
    let wanted = min(pieceSize, limit - bytes.count)
    let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      count = fread(buffer.baseAddress, 1, wanted, file)
    }
    bytes.append(contentsOf: piece)
    if piece.count < wanted { break }
  }
  if ferror(file) != 0 { throw unreadable(path) }
  return bytes
}

private func unreadable(_ path: String) -> GrammarMaskError {
  let reason = strerror(errno).map { String(cString: $0) } ?? "unknown reason"
  return GrammarMaskError(.io, message: "\(path): \(reason)")
}
