/** The part of a list that a test file with `?shard=1/4` in its address tests; without it, all of it. */
export function shardOf<Item>(items: readonly Item[], url: string): Item[] {
  const [number = 1, count = 1] = (new URL(url).searchParams.get('shard') ?? '1/1').split('/').map(Number);
  return items.filter((_, index) => index % count === number - 1);
}
