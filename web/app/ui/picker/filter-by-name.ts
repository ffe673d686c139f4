/** Filters the previous results while the next search loads, so that Enter never picks an item that does not match. */
export function filterByName<Item extends { name: string }>(items: readonly Item[], text: string): Item[] {
  const searchText = text.trim().toLowerCase();
  return items.filter(({ name }) => name.toLowerCase().includes(searchText));
}
