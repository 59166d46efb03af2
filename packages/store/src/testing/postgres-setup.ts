import { offerPostgres } from "./shared-postgres.ts";

export const setup = offerPostgres;
