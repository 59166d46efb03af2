export {
  anthropicError,
  events,
  type Handler,
  json,
  openUpstream,
  vendorsAt,
} from "@longhaul/fit/testing";
