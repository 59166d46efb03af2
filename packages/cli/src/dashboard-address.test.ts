import { expect, it } from "vitest";
import { dashboardAddress } from "./dashboard-address.ts";

it.each([
  ["http://127.0.0.1:4141", "http://127.0.0.1:4141/#token=t"],
  ["http://0.0.0.0:80", "http://127.0.0.1/#token=t"],
  ["http://[::]:4141", "http://[::1]:4141/#token=t"],
  ["http://10.0.0.7:9", "http://10.0.0.7:9/#token=t"],
])("is for %s %s", (url, address) => {
  expect(dashboardAddress(url, "t")).toBe(address);
});
