/** A file that a browser saves and never shows. */
export function sendFile(name: string, text: string): Response {
  const plain = name.replace(/[^\w.-]+/g, "-");
  return new Response(text, {
    headers: { "content-type": "application/json", "content-disposition": `attachment; filename="${plain}"` },
  });
}
