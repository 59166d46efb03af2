import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { useEffect, useRef, useState } from "preact/hooks";
import { placeOfDrop } from "../../settings/passes.ts";

interface Place<T> {
  readonly current: T | null;
}

interface PassDragOptions {
  /** What others are let go over. */
  readonly item: Place<HTMLElement>;
  /** What is dragged. */
  readonly head: Place<HTMLElement>;
  /** What it is dragged by. */
  readonly handle: Place<HTMLElement>;
  readonly at: number;
  readonly onMove: (from: number, to: number) => void;
}

interface PassDrag {
  readonly isDragged: boolean;
  /** Where a pass that is dragged over this one would come to stand. */
  readonly edge: "above" | "below" | undefined;
}

/** Lets a pass be dragged to another place of its list. */
export function usePassDrag({ item, head, handle, at, onMove }: PassDragOptions): PassDrag {
  const [isDragged, setDragged] = useState(false);
  const [edge, setEdge] = useState<PassDrag["edge"]>();
  const move = useRef(onMove);
  move.current = onMove;
  useEffect(() => {
    if (item.current === null || head.current === null || handle.current === null) return undefined;
    const element = item.current;
    return combine(
      draggable({
        element: head.current,
        dragHandle: handle.current,
        getInitialData: () => ({ passAt: at }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => typeof source.data.passAt === "number",
        getData: ({ input }) => ({ isBelow: isBelowMiddle(element, input.clientY) }),
        onDrag: ({ self }) => setEdge(self.data.isBelow === true ? "below" : "above"),
        onDragLeave: () => setEdge(undefined),
        onDrop: ({ source: { data }, self }) => {
          setEdge(undefined);
          if (typeof data.passAt !== "number") return;
          const to = placeOfDrop(data.passAt, at, self.data.isBelow === true);
          if (to !== data.passAt) move.current(data.passAt, to);
        },
      }),
    );
  }, [at]);
  return { isDragged, edge };
}

function isBelowMiddle(element: HTMLElement, y: number): boolean {
  const { top, height } = element.getBoundingClientRect();
  return y > top + height / 2;
}
