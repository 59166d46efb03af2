import { expect, it } from "vitest";
import { dockerfileFaults, instructionsOf } from "./dockerfile-faults.ts";

const GOOD = `FROM node:24.1.0-slim AS build
RUN npm run pack
FROM node:24.1.0-slim
COPY --from=build /build /app
USER 1000:1000
WORKDIR /data
HEALTHCHECK CMD ["node", "-e", "0"]
ENTRYPOINT ["longhaul"]
CMD ["start"]
`;

it("joins continued lines, and drops comments", () => {
  const text = "# a\nRUN a \\\n    # b\n    && c\n";
  expect(instructionsOf(text)).toEqual([{ word: "RUN", rest: "a && c" }]);
});

it("accepts a good one", () => {
  expect(dockerfileFaults(GOOD)).toEqual([]);
});

it.each([
  ["FROM node:24.1.0-slim\n", "FROM node\n", "has no version"],
  ["FROM node:24.1.0-slim\n", "FROM node:latest\n", "has no version"],
  ["USER 1000:1000", "USER root", "not root"],
  ["USER 1000:1000\n", "", "not root"],
  ["HEALTHCHECK", "LABEL a=b\n#", "health"],
  ['CMD ["start"]', "CMD longhaul start", "CMD is not a list"],
  ["COPY --from", "ADD --from", "ADD downloads"],
  ["COPY --from=build", "COPPY", "Unknown instruction"],
  ["WORKDIR /data", "WORKDIR data", "depends on earlier ones"],
  ["USER 1000:1000", "ENV API_KEY=abc\nUSER 1000:1000", "readable by everyone"],
  ["npm run pack", "npm install longhaul", "runs downloaded code"],
  ["FROM node:24.1.0-slim AS build\nRUN npm run pack\n", "", "stay in the image"],
])("finds the fault when %j becomes %j", (from, to, fault) => {
  const faults = dockerfileFaults(GOOD.replace(from, to));
  expect(faults.join("\n")).toContain(fault);
});
