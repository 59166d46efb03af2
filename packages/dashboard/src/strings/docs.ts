import { plural } from "./format.ts";

export const strings = {
  nav: "Documentation",
  search: "Search the documentation",
  placeholder: "Search (press /)",
  results: "Search results",
  count: (results: number) => plural(results, "result"),
  noResults: (query: string) => `No results for “${query}”. Try fewer or shorter words.`,
  unavailable: "The search index failed to load. Reload the page.",
};
