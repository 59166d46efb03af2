import { defineConfig } from "vitest/config";

/** Separate from the other tests: it installs hundreds of megabytes and runs real programs. */
export default defineConfig({
  test: { name: "clients", include: ["test/clients/*.test.ts"], fileParallelism: false, reporters: ["verbose"] },
});
