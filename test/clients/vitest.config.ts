import { defineConfig } from "vitest/config";

/** Apart from the other tests: hundreds of megabytes are installed, and real programs run. */
export default defineConfig({
  test: { name: "clients", include: ["test/clients/*.test.ts"], fileParallelism: false, reporters: ["verbose"] },
});
