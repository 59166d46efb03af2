import { z } from "zod";

/** What is exchanged for a cookie. */
export const signInBodySchema = z.strictObject({
  token: z.string().min(1).max(1_000).describe("The token of the address that was printed, or the admin's own."),
});

/** Whether a browser is signed in now. */
export const signedInSchema = z.object({ signedIn: z.boolean() });
