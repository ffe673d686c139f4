/** A URL without percent-encoding; unchanged if the encoding is invalid. */
export function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
