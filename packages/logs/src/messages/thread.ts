export interface ThreadNode {
  readonly id: string | undefined;
  /** Null starts a thread; undefined follows the entry before it. */
  readonly parent: string | null | undefined;
}

/** Returns the indexes from the root to `leaf`. If a parent is missing, the entry before takes its place. */
export function pathTo(nodes: readonly ThreadNode[], leaf: number): ReadonlySet<number> {
  const places = new Map(nodes.map(({ id }, index) => [id, index]));
  const path = new Set<number>();
  let index = leaf;
  while (index >= 0 && !path.has(index)) {
    path.add(index);
    index = parentIndex(nodes, places, index);
  }
  return path;
}

function parentIndex(
  nodes: readonly ThreadNode[],
  places: ReadonlyMap<string | undefined, number>,
  index: number,
): number {
  const parent = nodes[index]?.parent;
  if (parent === null) return -1;
  return (parent === undefined ? undefined : places.get(parent)) ?? index - 1;
}
