/** Distinguishes URL changes caused by typing in a field from other navigation, such as the Back button. */
export class EchoFilter {
  readonly #pending: string[] = [];

  record(text: string): void {
    this.#pending.push(text);
  }

  /** Whether the text is a recorded change that had not arrived yet; changes recorded before it are dropped. */
  isEcho(text: string): boolean {
    const index = this.#pending.indexOf(text);
    this.#pending.splice(0, index === -1 ? this.#pending.length : index + 1);
    return index !== -1;
  }
}
