export interface LiveEvent {
  id: string;
  type: string;
  at: string;
  deploymentId: string;
  data: Record<string, unknown>;
}

/** Parses server-sent events from a text buffer; an incomplete event stays in `rest`. */
export function parseEvents(text: string): { events: LiveEvent[]; rest: string } {
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  const events = blocks.flatMap((block) => {
    const data = block
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trim())
      .join('\n');
    return data === '' ? [] : [JSON.parse(data) as LiveEvent];
  });
  return { events, rest };
}
