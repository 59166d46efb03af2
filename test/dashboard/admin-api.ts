import { ADMIN_TOKEN, type Rig } from "./rig.ts";

/** Asks a rig's admin API past its pages. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at single fields of answers
export async function askAdmin({ gateway }: Rig, path: string): Promise<any> {
  const response = await fetch(`${gateway.adminUrl}/api${path}`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  });
  return await response.json();
}

/** What holds for a setting. */
export async function settingAt(rig: Rig, path: string): Promise<unknown> {
  const { settings } = await askAdmin(rig, "/settings");
  return settings.find((setting: { readonly path: string }) => setting.path === path)?.value;
}
