import { posix } from "node:path";
import { isRelative, purposeOf, resolveRelative, type SourceFile } from "./source-file.ts";

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns the cycles of imports, types included. In each folder, its files and subfolders are the nodes of a graph: two files that import
 * each other are a cycle, and so are two folders. The files directly in a package's `src` also count as one folder together: a root file
 * that folders import must not import folders, even through another root file. Tests and their data may import everything and are left out.
 */
export function cycles(files: readonly SourceFile[]): string[] {
  const sources = files.filter((file) => purposeOf(file.path) === "source");
  const edges = sources.flatMap((file) =>
    file.imports
      .filter((made) => isRelative(made.specifier))
      .map((made) => [file.path, resolveRelative(file.path, made.specifier)] as const),
  );
  const folders = new Set(sources.flatMap((file) => foldersAbove(file.path)));
  return [...folders].sort().flatMap((folder) => {
    const cycle =
      findCycle(graphIn(folder, edges)) ?? (isRoot(folder) ? findCycle(rootGraph(folder, edges)) : undefined);
    return cycle === undefined ? [] : [`${folder}: ${cycle.join(" → ")}`];
  });
}

function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === "." ? [] : [folder, ...foldersAbove(folder)];
}

function graphIn(folder: string, edges: readonly (readonly [string, string])[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    const [start, end] = [entryIn(folder, from), entryIn(folder, to)];
    if (start === undefined || end === undefined || start === end) continue;
    graph.set(start, (graph.get(start) ?? new Set()).add(end));
  }
  return graph;
}

function isRoot(folder: string): boolean {
  return /^packages\/[^/]+\/src$/.test(folder);
}

/** The graph of a package's folders, with the files directly in `src` as one of them. */
function rootGraph(root: string, edges: readonly (readonly [string, string])[]): Graph {
  const grouped = (path: string) => (posix.dirname(path) === root ? `${root}/src/${posix.basename(path)}` : path);
  return graphIn(
    root,
    edges.map(([from, to]) => [grouped(from), grouped(to)]),
  );
}

/** Returns the file or subfolder of `folder` that contains a path. */
function entryIn(folder: string, path: string): string | undefined {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split("/")[0] : undefined;
}

function findCycle(graph: Graph): string[] | undefined {
  const done = new Set<string>();
  const walk = (point: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(point)) return [...trail.slice(trail.indexOf(point)), point];
    if (done.has(point)) return undefined;
    for (const next of graph.get(point) ?? []) {
      const cycle = walk(next, [...trail, point]);
      if (cycle !== undefined) return cycle;
    }
    done.add(point);
    return undefined;
  };
  for (const start of graph.keys()) {
    const cycle = walk(start, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
