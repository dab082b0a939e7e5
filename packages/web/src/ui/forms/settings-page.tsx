import { X } from "lucide-react";
import { Fragment, type ReactNode, useEffect, useRef } from "react";
import { Link, Redirect, Route, Switch, useLocation } from "wouter";
import { texts } from "../../texts/texts.js";
import { IconButton } from "../look/button.js";
import styles from "./settings-page.module.css";
import { UnsavedBar } from "./unsaved-bar.js";

/** One page among settings; its path is below that of the settings. */
export interface SettingsSection {
  path: string;
  title: string;
  /** The heading above it and its neighbours with the same one. */
  group?: string;
  /** One line on its purpose. */
  hint?: string;
  content: ReactNode;
  /** A number after the title in the list of sections. */
  badge?: ReactNode;
}

/** Sections below a heading in the list. */
export const inGroup = (group: string, sections: readonly SettingsSection[]): SettingsSection[] =>
  sections.map((section) => ({ ...section, group }));

/** Settings with their list of sections beside them; Escape and the cross lead back to `backTo`. */
export function SettingsPage({
  title,
  basePath,
  backTo,
  sections,
}: {
  title: string;
  basePath: string;
  backTo: string;
  sections: readonly SettingsSection[];
}) {
  const [location, navigate] = useLocation();
  const first = sections[0];
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A dialog or menu above the page has taken the key for itself.
      if (event.key === "Escape" && !event.defaultPrevented) navigate(backTo);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [navigate, backTo]);
  const nav = useRef<HTMLElement>(null);
  const main = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on narrow screens the list is a line, which may be scrolled.
  useEffect(() => {
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [location]);
  return (
    <div className={styles.page}>
      <nav ref={nav} className={styles.nav} aria-label={title}>
        <h1 className={styles.name}>{title}</h1>
        {sections.map(({ path: name, title: link, group, badge }, index) => {
          const path = `${basePath}/${name}`;
          return (
            <Fragment key={path}>
              {group === undefined || group === sections[index - 1]?.group ? null : (
                <p className={styles.group}>{group}</p>
              )}
              <Link href={path} className={styles.link} aria-current={location === path ? "page" : undefined}>
                <span>{link}</span>
                {badge}
              </Link>
            </Fragment>
          );
        })}
      </nav>
      <main ref={main} className={styles.main}>
        <Switch>
          {sections.map((section) => (
            <Route key={section.path} path={`${basePath}/${section.path}`}>
              <h2 className={styles.title}>{section.title}</h2>
              {section.hint === undefined ? null : <p className={styles.hint}>{section.hint}</p>}
              {section.content}
            </Route>
          ))}
          {first === undefined ? null : (
            <Route>
              <Redirect to={`${basePath}/${first.path}`} replace />
            </Route>
          )}
        </Switch>
        <UnsavedBar part={main} />
      </main>
      <IconButton label={texts.common.close} className={styles.close} onClick={() => navigate(backTo)}>
        <X size={20} aria-hidden />
      </IconButton>
    </div>
  );
}

/**
 * A part of a section with a heading of its own; `danger` for actions that cannot be undone, at the end of its section.
 */
export function Panel({
  title,
  hint,
  tone = "plain",
  children,
}: {
  title: string;
  /** One line on its purpose. */
  hint?: string;
  tone?: "plain" | "danger";
  children: ReactNode;
}) {
  return (
    <section className={styles.panel} data-tone={tone} aria-label={title}>
      <div>
        <h3 className={styles.panelTitle}>{title}</h3>
        {hint === undefined ? null : <p className={styles.hint}>{hint}</p>}
      </div>
      <div className={styles.panelBody}>{children}</div>
    </section>
  );
}
