/** Tells what comes back of one's own typing from what others put in its place, such as the Back button. */
export class EchoFilter {
  readonly #sent: string[] = [];

  record(text: string): void {
    this.#sent.push(text);
  }

  /** Whether the text was sent from here and had not come back yet; what was sent before it is not waited for. */
  isEcho(text: string): boolean {
    const index = this.#sent.indexOf(text);
    this.#sent.splice(0, index === -1 ? this.#sent.length : index + 1);
    return index !== -1;
  }
}
