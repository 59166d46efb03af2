import { describe, expect, it } from "vitest";
import { readAddress } from "./address.ts";

describe("readAddress", () => {
  it.each([
    ["postgres://anna:Secret@db.example:6432/longhaul", "longhaul at db.example:6432"],
    ["postgresql://anna:Secret@db.example/longhaul?application_name=gateway", "longhaul at db.example:5432"],
    ["postgres://anna:Se%40cret@[::1]:5432/longhaul", "longhaul at ::1:5432"],
    ["postgres://anna:Secret@/longhaul?host=/var/run/postgresql", "longhaul at /var/run/postgresql:5432"],
  ])("labels %s without user and password", (url, label) => {
    expect(readAddress(url).label).toBe(label);
  });

  it.each(["prefer", "require", "verify-ca", "verify-full"])("verifies the certificate with sslmode=%s", (mode) => {
    const { config } = readAddress(`postgres://db/longhaul?sslmode=${mode}&x=1`);
    expect(config.connectionString).toBe("postgres://db/longhaul?sslmode=verify-full&x=1");
  });

  it.each(["disable", "no-verify"])("keeps sslmode=%s", (mode) => {
    const url = `postgres://db/longhaul?sslmode=${mode}`;
    expect(readAddress(url).config.connectionString).toBe(url);
  });

  it.each([
    ["postgres://anna:Secret/@db:port/longhaul", /database URL is invalid; write it as postgres:/],
    [
      "postgres://anna:Secret@db/longhaul?sslrootcert=/absent.pem",
      /database URL is invalid: a file that it names does not exist;/,
    ],
  ])("rejects %s without showing the password", (url, message) => {
    const read = () => readAddress(url);
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining({ code: "settings.invalid" }));
    expect(read).not.toThrow(expect.objectContaining({ cause: expect.anything() }));
    expect(read).not.toThrow(/Secret/);
  });
});
