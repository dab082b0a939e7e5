import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import styles from "./menu.module.css";

/** What a menu offers. */
export interface MenuItem {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  onSelect: () => void;
}

/** A menu that its trigger opens. */
export function Menu({ trigger, items }: { trigger: ReactNode; items: readonly (MenuItem | null)[] }) {
  return (
    // Not modal: a modal one hides the page from screen readers with everything in it that can have the focus.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={styles.menu} sideOffset={4} collisionPadding={8}>
          {items.map((item) =>
            item === null ? null : (
              <DropdownMenu.Item
                key={item.label}
                className={styles.item}
                data-danger={item.danger === true}
                onSelect={item.onSelect}
              >
                {item.icon}
                {item.label}
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
