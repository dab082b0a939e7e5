import { Check, ChevronRight } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type ReactElement, type ReactNode, useRef } from "react";
import type { TriggerProps } from "./first-trigger.js";
import styles from "./menu.module.css";
import { noteFocus } from "./return-focus.js";

/** An entry of a menu. */
export interface MenuItem {
  label: string;
  icon?: ReactNode;
  /** A number after the label. */
  badge?: ReactNode;
  danger?: boolean;
  /** It begins a group of entries. */
  beginsGroup?: boolean;
  /** Whether it is on, for entries that switch something; the menu then stays open. */
  isOn?: boolean;
  onSelect: () => void;
}

/** A menu in a menu. */
export interface Submenu {
  label: string;
  icon?: ReactNode;
  items: readonly MenuItem[];
}

/** An entry of a menu; null is left out. */
export type MenuEntry = MenuItem | Submenu | null;

/** A menu and the button that opens it. */
export interface MenuProps {
  trigger: ReactElement<TriggerProps>;
  items: readonly MenuEntry[];
  onOpen?: () => void;
  onClose?: () => void;
}

/** A menu that its trigger has opened, and opens again. */
export function OpenedMenu({ trigger, items, onOpen, onClose, isByKeyboard }: MenuProps & { isByKeyboard: boolean }) {
  /** Whether the first entry is to get the focus; Radix has not seen the key by which the menu was opened first. */
  const isFirstDue = useRef(isByKeyboard);
  return (
    // Not modal: a modal one hides the page from screen readers with everything in it that can have the focus.
    <DropdownMenu.Root defaultOpen modal={false} onOpenChange={(isOpen) => (isOpen ? onOpen : onClose)?.()}>
      <DropdownMenu.Trigger asChild ref={noteFocus}>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className={styles.menu}
          sideOffset={4}
          collisionPadding={8}
          onFocus={({ target, currentTarget }) => {
            if (!isFirstDue.current || target !== currentTarget) return;
            isFirstDue.current = false;
            currentTarget.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
          }}
          onCloseAutoFocus={(event) => {
            // An element that took the focus by the entry's action keeps it.
            if (document.activeElement !== document.body) event.preventDefault();
          }}
        >
          <MenuEntries items={items} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** The entries of an open menu. */
export function MenuEntries({ items }: { items: readonly MenuEntry[] }) {
  return inOrder(items).map((item) => <Entry key={item.label} item={item} />);
}

/** The entries in their order, but for dangerous ones, which are the last. */
export function inOrder<Item extends MenuItem | Submenu>(items: readonly (Item | null)[]): Item[] {
  const isDangerous = (item: MenuItem | Submenu) => "danger" in item && item.danger === true;
  const all = items.filter((item) => item !== null);
  return [...all.filter((item) => !isDangerous(item)), ...all.filter(isDangerous)];
}

function Entry({ item }: { item: MenuItem | Submenu }) {
  if ("items" in item) {
    return (
      <DropdownMenu.Sub>
        <DropdownMenu.SubTrigger className={styles.item}>
          {item.icon}
          <span className={styles.label}>{item.label}</span>
          <ChevronRight size={16} aria-hidden className={styles.arrow} />
        </DropdownMenu.SubTrigger>
        <DropdownMenu.Portal>
          <DropdownMenu.SubContent className={styles.menu} collisionPadding={8}>
            <MenuEntries items={item.items} />
          </DropdownMenu.SubContent>
        </DropdownMenu.Portal>
      </DropdownMenu.Sub>
    );
  }
  if (item.isOn !== undefined) {
    return (
      <DropdownMenu.CheckboxItem
        className={styles.item}
        data-group={item.beginsGroup}
        checked={item.isOn}
        onSelect={(event) => {
          event.preventDefault();
          item.onSelect();
        }}
      >
        {item.icon}
        <bdi className={styles.label}>{item.label}</bdi>
        {item.isOn ? <Check size={16} aria-hidden /> : null}
      </DropdownMenu.CheckboxItem>
    );
  }
  return (
    <DropdownMenu.Item
      className={styles.item}
      data-danger={item.danger === true}
      data-group={item.beginsGroup}
      onSelect={item.onSelect}
    >
      {item.icon}
      <span className={styles.label}>{item.label}</span>
      {item.badge}
    </DropdownMenu.Item>
  );
}
