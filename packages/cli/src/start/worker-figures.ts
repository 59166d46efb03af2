import { randomUUID } from "node:crypto";

/** The other end of a channel between two processes. */
export interface Peer {
  say(said: string | object): void;
  /** The result ends it. */
  hear(listen: (said: unknown) => void): () => void;
}

/** What is said: figures are asked for, or told to whoever asked with this id. */
type FiguresSaid =
  | { readonly figures: "asked"; readonly id: string }
  | { readonly figures: "told"; readonly id: string; readonly texts: readonly string[] };

/** What a peer tells of figures; nothing where it does not answer in time. */
export function askFigures(peer: Peer, limitMs: number): Promise<readonly string[]> {
  const id = randomUUID();
  return new Promise((resolve) => {
    const finish = (texts: readonly string[]) => {
      clearTimeout(timer);
      ignore();
      resolve(texts);
    };
    const timer = setTimeout(finish, limitMs, []);
    const ignore = peer.hear((said) => {
      if (isSaid(said) && said.figures === "told" && said.id === id) finish(said.texts);
    });
    peer.say({ figures: "asked", id } satisfies FiguresSaid);
  });
}

/** Tells a peer figures whenever it asks, until the result is called. */
export function answerFigures(peer: Peer, tell: () => Promise<readonly string[]>): () => void {
  return peer.hear((said) => {
    if (!isSaid(said) || said.figures !== "asked") return;
    const { id } = said;
    void tell().then((texts) => peer.say({ figures: "told", id, texts } satisfies FiguresSaid));
  });
}

function isSaid(said: unknown): said is FiguresSaid {
  return typeof said === "object" && said !== null && "figures" in said;
}
