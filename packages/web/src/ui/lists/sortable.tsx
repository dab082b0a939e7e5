import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { SortableContext, sortableKeyboardCoordinates, useSortable } from "@dnd-kit/sortable";
import { GripVertical } from "lucide-react";
import { type ComponentProps, createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { texts } from "../../texts/texts.js";
import { IconButton } from "../look/button.js";
import styles from "./sortable.module.css";

/** A thing in a list whose order can be changed. */
export interface SortableItem {
  id: string;
  name: string;
}

/** Where a dragged thing would come to stand. */
export interface DropTarget {
  id: string;
  side: "before" | "after";
}

interface Dragging {
  /** Null while nothing is dragged. */
  activeId: string | null;
  target: DropTarget | null;
}

const Dragged = createContext<Dragging>({ activeId: null, target: null });
const idle: Dragging = { activeId: null, target: null };

/**
 * A list whose things are dragged by their handles: with the mouse, a finger, or the keyboard (Space takes and drops,
 * arrows move, Escape leaves everything as it was). It announces each step.
 *
 * @param onMove gets the thing and the one that it was dropped on
 * @param dropTarget the place of the thing after the drop
 */
export function Sortable({
  items,
  onMove,
  dropTarget,
  children,
}: {
  items: readonly SortableItem[];
  onMove: (id: string, overId: string) => void;
  dropTarget: (id: string, overId: string) => DropTarget;
  children: ReactNode;
}) {
  const [dragging, setDragging] = useState(idle);
  useEscape(dragging.activeId !== null);
  const sensors = useSensors(
    useSensor(PointerSensor),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const ids = useMemo(() => items.map(({ id }) => id), [items]);
  const accessibility = useMemo(
    () => ({
      announcements: announcementsOf(items),
      screenReaderInstructions: { draggable: texts.sorting.instructions },
    }),
    [items],
  );
  const end = ({ active, over }: DragEndEvent) => {
    setDragging(idle);
    if (over !== null && over.id !== active.id) onMove(String(active.id), String(over.id));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={upAndDown}
      accessibility={accessibility}
      onDragStart={({ active }) => setDragging({ activeId: String(active.id), target: null })}
      onDragOver={({ active, over }) =>
        setDragging({
          activeId: String(active.id),
          target: over === null || over.id === active.id ? null : dropTarget(String(active.id), String(over.id)),
        })
      }
      onDragEnd={end}
      onDragCancel={() => setDragging(idle)}
    >
      {/* Nothing moves aside; a line shows the target. */}
      <SortableContext items={ids} strategy={stay}>
        <Dragged value={dragging}>{children}</Dragged>
      </SortableContext>
    </DndContext>
  );
}

/**
 * The handle of a row in a {@link Sortable}, and the properties of its frame.
 *
 * @param isTarget whether the row can be dropped on while another is dragged; its id is null while nothing is
 */
export function useSortableRow(
  { id, name }: SortableItem,
  isTarget: (activeId: string | null) => boolean = () => true,
): { frame: ComponentProps<"li">; handle: ReactNode } {
  const { activeId, target } = useContext(Dragged);
  const labels = texts.sorting;
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, isDragging } = useSortable({
    id,
    disabled: { draggable: false, droppable: !isTarget(activeId) },
    attributes: { roleDescription: labels.handle },
  });
  return {
    frame: {
      ref: setNodeRef,
      className: styles.row,
      ...(transform === null ? {} : { style: { transform: `translateY(${Math.round(transform.y)}px)` } }),
      ...(isDragging ? { "data-dragging": true } : {}),
      ...(target?.id === id ? { "data-drop": target.side } : {}),
    },
    handle: (
      <IconButton
        label={labels.move(name)}
        className={styles.handle}
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
      >
        <GripVertical size={18} aria-hidden />
      </IconButton>
    ),
  };
}

const stay = () => null;
const upAndDown: Modifier[] = [({ transform }) => ({ ...transform, x: 0 })];

function announcementsOf(items: readonly SortableItem[]): Announcements {
  const labels = texts.sorting;
  const nameOf = (id: UniqueIdentifier) => items.find((item) => item.id === id)?.name ?? "";
  const positionOf = (id: UniqueIdentifier) => items.findIndex((item) => item.id === id) + 1;
  let hasMoved = false;
  return {
    onDragStart: ({ active }) => {
      hasMoved = false;
      return labels.taken(nameOf(active.id), positionOf(active.id), items.length);
    },
    onDragOver: ({ active, over }) => {
      // At first it is over its own place, which the list has just announced.
      if (over === null || (over.id === active.id && !hasMoved)) return undefined;
      hasMoved = true;
      return labels.over(nameOf(active.id), positionOf(over.id), items.length);
    },
    onDragEnd: ({ active, over }) => labels.dropped(nameOf(active.id), positionOf((over ?? active).id), items.length),
    onDragCancel: ({ active }) => labels.cancelled(nameOf(active.id)),
  };
}

/** While something is dragged, Escape ends that, and must not leave the page as well. */
function useEscape(isDragging: boolean): void {
  useEffect(() => {
    if (!isDragging) return;
    const keep = (event: KeyboardEvent) => {
      if (event.key === "Escape") event.preventDefault();
    };
    addEventListener("keydown", keep, { capture: true });
    return () => removeEventListener("keydown", keep, { capture: true });
  }, [isDragging]);
}
