/**
 * While the server looks for what was typed, what it found for less is still shown: only what has the text, so that
 * Enter takes nothing that nobody meant.
 */
export function filterByName<Item extends { name: string }>(items: readonly Item[], text: string): Item[] {
  const wanted = text.trim().toLowerCase();
  return items.filter(({ name }) => name.toLowerCase().includes(wanted));
}
