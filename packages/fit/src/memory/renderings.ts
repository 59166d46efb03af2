import type { Projection } from "@longhaul/condense";
import type { History } from "../history/history.ts";
import { isMadeFor, type Rendering } from "../history/parts.ts";
import type { Prompt } from "../history/write-slots.ts";
import type { Workers } from "../workers/workers.ts";

interface ToRender {
  /** The projection's name. */
  readonly key: string;
  readonly projection: Projection;
  readonly history: History;
  readonly prompt: Prompt;
}

/** Projections applied to their conversations, written once. */
export interface Renderings {
  find(wanted: ToRender): Promise<Rendering>;
  keep(key: string, wire: string, rendering: Rendering): void;
}

/** Counts the written text and the objects; the rest is the client's bytes. */
const MAX_CHARS = 64 * 1024 * 1024;

/** Makes an empty memory that evicts the least recently used renderings. */
export function makeRenderings(workers: Workers, maxChars = MAX_CHARS): Renderings {
  const known = new Map<string, Rendering>();
  let chars = 0;
  const forget = (key: string) => {
    chars -= sizeOf(known.get(key));
    known.delete(key);
  };
  const remember = (key: string, rendering: Rendering): Rendering => {
    forget(key);
    known.set(key, rendering);
    chars += sizeOf(rendering);
    for (const oldest of known.keys()) {
      if (chars <= maxChars || oldest === key) break;
      forget(oldest);
    }
    return rendering;
  };
  return {
    find: async ({ key, projection, history, prompt }) => {
      const place = `${prompt.wire}/${key}`;
      const found = known.get(place);
      if (found !== undefined && isMadeFor(found, history)) return remember(place, found);
      return remember(place, await workers.render(prompt, projection));
    },
    keep: (key, wire, rendering) => void remember(`${wire}/${key}`, rendering),
  };
}

const sizes = new WeakMap<Rendering, number>();

function sizeOf(rendering: Rendering | undefined): number {
  if (rendering === undefined) return 0;
  const size = sizes.get(rendering) ?? measure(rendering);
  sizes.set(rendering, size);
  return size;
}

function measure({ parts, prints }: Rendering): number {
  const fixed = RENDERING_CHARS + parts.length * PART_CHARS + prints.length * PRINT_CHARS;
  return parts.reduce((sum, part) => sum + (part.kind === "written" ? part.json.length : 0), fixed);
}

/** The space of its objects, and of a fingerprint. */
const RENDERING_CHARS = 300;
const PART_CHARS = 80;
const PRINT_CHARS = 80;
