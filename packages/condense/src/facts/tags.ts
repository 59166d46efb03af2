// Clients name their own tags in several words, HTML does not.
const TAG = /<(\/?)([a-z]{1,30}[-_][a-z_-]{1,40})>/g;

/** A text without what clients put into the user's messages in tags of their own, such as reminders and the output of commands. */
export function withoutTags(text: string): string {
  const tags = [...text.matchAll(TAG)].map(({ 0: tag, 1: slash, 2: name = "", index }) => {
    return { name, from: index, to: index + tag.length, isClosing: slash === "/" };
  });
  const lastClosing = new Map(tags.filter((tag) => tag.isClosing).map((tag) => [tag.name, tag.from]));
  let kept = "";
  let at = 0;
  let open: string | undefined;
  for (const { name, from, to, isClosing } of tags) {
    if (open === undefined && !isClosing && (lastClosing.get(name) ?? -1) > from) {
      kept += text.slice(at, from);
      open = name;
    } else if (open === name && isClosing) {
      open = undefined;
      at = to;
    }
  }
  return open === undefined ? `${kept}${text.slice(at)}` : kept;
}
