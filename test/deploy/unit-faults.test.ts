import { expect, it } from "vitest";
import { readText } from "../repository.ts";
import { parseUnit, unitFaults } from "./unit-faults.ts";

const GOOD = readText("deploy/longhaul.service");

it("reads sections, settings and repeated settings", () => {
  expect(parseUnit("# a\n[Service]\nEnvironment=A=1\nEnvironment=B=2\n\n[Install]\nWantedBy=x\n")).toEqual({
    Service: { Environment: ["A=1", "B=2"] },
    Install: { WantedBy: ["x"] },
  });
});

it("throws on an invalid line", () => {
  expect(() => parseUnit("[Service]\nExecStart longhaul\n")).toThrow('"ExecStart longhaul" is not a setting');
});

it.each([
  ["ProtectSystem=strict", "ProtectSystem=full", "ProtectSystem is not strict"],
  ["NoNewPrivileges=yes", "NoNewPrivilege=yes", "has no setting NoNewPrivilege"],
  ["DynamicUser=yes", "", "it runs as root"],
  ["DynamicUser=yes", "MemoryDenyWriteExecute=yes", "writable code"],
  ["CapabilityBoundingSet=\n", "CapabilityBoundingSet=CAP_SYS_ADMIN\n", "CapabilityBoundingSet is not empty"],
])("finds the fault when %j becomes %j", (from, to, fault) => {
  expect(unitFaults(parseUnit(GOOD.replace(from, to))).join("\n")).toContain(fault);
});
