import { formatUsd, plural } from "./format.ts";

export const strings = {
  title: "API keys",
  lead: "Keys for this gateway. Creating the first key makes keys mandatory for every client. Limits apply across all gateways that share a database.",
  empty: "No API keys yet",
  emptyHelp:
    "Without keys, only clients on this machine can connect. To allow other machines, create a key, then set server.host and restart.",
  allRevoked: "No active key is left, so every client is rejected. Create a new key.",

  alertFailure: (why: string) => `The last budget alert was not delivered (${why}). Check alerts.webhook.`,

  columns: {
    status: "Status",
    models: "Models",
    limits: "Limits",
    today: "Cost today",
    thisMonth: "Cost this month",
    inProgress: { name: "In progress", help: "Requests that are running now." },
    created: "Created",
  },
  active: "active",
  revoked: "revoked",
  limit: {
    requestsPerMinute: (limit: number) => `${plural(limit, "request")} per minute`,
    concurrent: (limit: number) => plural(limit, "concurrent request"),
    usdPerDay: (limit: number) => `${formatUsd(limit)} per day`,
    usdPerMonth: (limit: number) => `${formatUsd(limit)} per month`,
  },
  limits: {
    requestsPerMinute: "Requests per minute",
    concurrent: "Concurrent requests",
    usdPerDay: "USD per day",
    usdPerMonth: "USD per month",
  },
  allModels: "all",
  models: "Allowed models",
  modelsHelp: "One name per line, with * as a wildcard, as in a route. Leave it empty to allow all models.",
  modelsExample: "claude-*\ngpt-5-mini",
  limitsHelp: "Leave a field empty for no limit.",

  create: "Create key",
  createTitle: "Create API key",
  created: "Copy your API key",
  createdHelp: "This key is shown only once. Clients send it instead of the vendor's API key.",
  copyWhat: "API key",
  done: "Done",
  updated: "API key updated.",
  revoke: "Revoke",
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeAction: "Revoke key",
  revokeHelp: "Clients that use it are rejected within a second. This cannot be undone.",
  wasRevoked: "API key revoked.",
};
