import type { PreviewAnswer } from "@longhaul/settings";
import { useMemo } from "preact/hooks";
import { type Posted, useGateway, usePosted } from "../gateway/gateway.tsx";
import { Failure, Loading } from "../parts/answered.tsx";
import { PAGE_ROWS } from "../rows/row-pages.ts";
import { RowsView } from "../rows/rows-view.tsx";
import type { RowSource } from "../rows/use-row-pages.tsx";

/** A preview with the first of its rows. */
export function usePreviewWithRows(body: object | undefined): Posted<PreviewAnswer> {
  return usePosted<PreviewAnswer>("/preview", body === undefined ? undefined : { ...body, limit: PAGE_ROWS });
}

/** What a preview makes of a conversation, part by part. */
export function PreviewRows({ preview }: { readonly preview: Posted<PreviewAnswer> }) {
  const { body, value, error, isLoading } = preview;
  const { api } = useGateway();
  const source = useMemo<RowSource | undefined>(() => {
    if (value === undefined) return undefined;
    const ask = (more: object) => api.send<PreviewAnswer>("POST", "/preview", { ...body, ...more });
    return {
      rowCount: value.rowCount,
      rows: value.rows,
      page: async (from, limit) => (await ask({ from, limit })).rows,
      whole: async (row) => (await ask({ row })).rows[0],
    };
  }, [api, body, value]);
  return (
    <>
      <Failure words={error} />
      {source === undefined ? isLoading && <Loading /> : <RowsView source={source} />}
    </>
  );
}
