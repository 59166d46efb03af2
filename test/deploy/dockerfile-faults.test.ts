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

it("joins what is continued, and leaves comments out", () => {
  const text = "# a\nRUN a \\\n    # b\n    && c\n";
  expect(instructionsOf(text)).toEqual([{ word: "RUN", rest: "a && c" }]);
});

it("finds nothing wrong with a good one", () => {
  expect(dockerfileFaults(GOOD)).toEqual([]);
});

it.each([
  ["FROM node:24.1.0-slim\n", "FROM node\n", "names no version"],
  ["FROM node:24.1.0-slim\n", "FROM node:latest\n", "names no version"],
  ["USER 1000:1000", "USER root", "not root"],
  ["USER 1000:1000\n", "", "not root"],
  ["HEALTHCHECK", "LABEL a=b\n#", "health"],
  ['CMD ["start"]', "CMD longhaul start", "CMD is no list"],
  ["COPY --from", "ADD --from", "ADD fetches"],
  ["COPY --from=build", "COPPY", "Unknown instruction"],
  ["WORKDIR /data", "WORKDIR data", "depends on another"],
  ["USER 1000:1000", "ENV API_KEY=abc\nUSER 1000:1000", "for all to read"],
  ["npm run pack", "npm install longhaul", "runs what was fetched"],
  ["FROM node:24.1.0-slim AS build\nRUN npm run pack\n", "", "left in the image"],
])("finds what is wrong when %j becomes %j", (from, to, fault) => {
  const faults = dockerfileFaults(GOOD.replace(from, to));
  expect(faults.join("\n")).toContain(fault);
});
