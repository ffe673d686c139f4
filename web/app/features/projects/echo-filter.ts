/** Distinguishes URL changes caused by typing in a field from other navigation, such as the Back button. */
export class EchoFilter {
  readonly #sent: string[] = [];

  record(text: string): void {
    this.#sent.push(text);
  }

  /** Whether the text is a recorded change that had not arrived yet; changes recorded before it are dropped. */
  isEcho(text: string): boolean {
    const index = this.#sent.indexOf(text);
    this.#sent.splice(0, index === -1 ? this.#sent.length : index + 1);
    return index !== -1;
  }
}
