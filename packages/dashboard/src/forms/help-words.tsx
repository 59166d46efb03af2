/** Sentences of the settings' help, where names and values stand between backticks. */
export function HelpWords({ of }: { readonly of: string }) {
  return <>{of.split("`").map((piece, index) => (index % 2 === 1 ? <code key={index}>{piece}</code> : piece))}</>;
}
