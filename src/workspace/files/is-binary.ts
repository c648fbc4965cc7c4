/** True if the first 8,000 bytes contain a NUL byte, as in git. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8_000).includes(0);
}
