import { imageMisfit, mediaMisfits } from "../budget/misfits.ts";
import { bytesOf, type LocatedMedia, type MediaLimits, mediaIn, removedNote } from "../content/media.ts";
import type { Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";

/**
 * Takes away images that are too large, and the oldest of too many; documents too where the request has too many bytes. Each leaves a line
 * that says what it was. What stands in the latest user message stays. A limit that is passed is undercut by a quarter.
 */
export const fitMediaPass: Pass = {
  id: "fit-media",
  name: "Drop older images",
  mayGrow: true,
  applies: ({ conversation, limits: { media = {} } }) => mediaMisfits(conversation, media).length > 0,
  plan: (view) => planRemovals(view, view.limits.media ?? {}),
};

function planRemovals(view: View, limits: MediaLimits): Edit[] {
  const media = view.conversation.messages.flatMap(mediaIn).filter(({ at }) => at.message !== view.latestUserMessage);
  const tooLarge = media.filter((placed) => imageMisfit(placed, limits) !== undefined);
  const gone = new Set(tooLarge);
  const over = overLimits(view, limits);
  for (const { block } of tooLarge) subtract(over, block);
  for (const placed of media) {
    if (!gone.has(placed) && helps(over, placed)) {
      gone.add(placed);
      subtract(over, placed.block);
    }
  }
  return media.filter((placed) => gone.has(placed)).map(removal);
}

/** What is still over the limits. */
interface Over {
  images: number;
  bytes: number;
}

/** Share of a limit that is aimed at once it is passed, so that the next image does not change what was sent all over again. */
const AIM = 0.75;

function overLimits({ conversation }: View, limits: MediaLimits): Over {
  const misfits = mediaMisfits(conversation, limits);
  const over = (what: "images" | "body-bytes") => {
    const found = misfits.find((misfit) => misfit.what === what);
    return found === undefined ? 0 : found.size - found.limit * AIM;
  };
  return { images: over("images"), bytes: over("body-bytes") };
}

function helps({ images, bytes }: Over, { block }: LocatedMedia): boolean {
  return (images > 0 && block.type === "image") || (bytes > 0 && bytesOf(block) > 0);
}

function subtract(over: Over, block: LocatedMedia["block"]): void {
  if (block.type === "image") over.images--;
  over.bytes -= bytesOf(block);
}

/** Takes a picture or a document away. */
export function removal(placed: LocatedMedia): Extract<Edit, { kind: "remove" }> {
  return { kind: "remove", at: placed.at, left: removedNote(placed), reason: "drop" };
}
