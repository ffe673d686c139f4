const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** The text of a description that is written as HTML. */
export const htmlText = (html: string | undefined): string | undefined =>
  html
    ?.replace(/<[^<>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim();

/** The addresses in a text. */
export const urlsIn = (given: string | undefined): string[] => given?.match(/https?:\/\/[^\s"'<>)]+/g) ?? [];
