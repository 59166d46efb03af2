import { posix } from "node:path";
import { isRelative, purposeOf, resolveRelative, type SourceFile } from "./source-file.ts";

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Circles of imports, types included. In each folder the files and the folders in it are the points: two files that import each other
 * are a circle, and so are two folders of which each imports something of the other. Tests and their data look at everything and are
 * left out; no source imports them.
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
    const circle = findCircle(graphIn(folder, edges));
    return circle === undefined ? [] : [`${folder}: ${circle.join(" → ")}`];
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

/** The file or folder directly in `folder` under which a path stands. */
function entryIn(folder: string, path: string): string | undefined {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split("/")[0] : undefined;
}

function findCircle(graph: Graph): string[] | undefined {
  const done = new Set<string>();
  const walk = (point: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(point)) return [...trail.slice(trail.indexOf(point)), point];
    if (done.has(point)) return undefined;
    for (const next of graph.get(point) ?? []) {
      const circle = walk(next, [...trail, point]);
      if (circle !== undefined) return circle;
    }
    done.add(point);
    return undefined;
  };
  for (const start of graph.keys()) {
    const circle = walk(start, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
