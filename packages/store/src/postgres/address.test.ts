import { describe, expect, it } from "vitest";
import { readAddress } from "./address.ts";

describe("readAddress", () => {
  it.each([
    ["postgres://anna:Secret@db.example:6432/longhaul", "longhaul at db.example:6432"],
    ["postgresql://anna:Secret@db.example/longhaul?application_name=gateway", "longhaul at db.example:5432"],
    ["postgres://anna:Se%40cret@[::1]:5432/longhaul", "longhaul at ::1:5432"],
    ["postgres://anna:Secret@/longhaul?host=/var/run/postgresql", "longhaul at /var/run/postgresql:5432"],
  ])("calls %s by its label alone", (url, label) => {
    expect(readAddress(url).label).toBe(label);
  });

  it.each(["prefer", "require", "verify-ca", "verify-full"])("takes sslmode=%s for TLS that is checked", (mode) => {
    const { config } = readAddress(`postgres://db/longhaul?sslmode=${mode}&x=1`);
    expect(config.connectionString).toBe("postgres://db/longhaul?sslmode=verify-full&x=1");
  });

  it.each(["disable", "no-verify"])("leaves sslmode=%s as it is", (mode) => {
    const url = `postgres://db/longhaul?sslmode=${mode}`;
    expect(readAddress(url).config.connectionString).toBe(url);
  });

  it.each([
    ["postgres://anna:Secret/@db:port/longhaul", /cannot be read; it is written as postgres:/],
    ["postgres://anna:Secret@db/longhaul?sslrootcert=/absent.pem", /cannot be read: a file that it names is absent;/],
  ])("refuses %s without a word of the password", (url, message) => {
    const read = () => readAddress(url);
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining({ code: "settings.invalid" }));
    expect(read).not.toThrow(expect.objectContaining({ cause: expect.anything() }));
    expect(read).not.toThrow(/Secret/);
  });
});
