import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Root } from "./root.js";
import { applyLanguage, followLanguage } from "./ui/look/use-language.js";
import { applyTheme, followTheme } from "./ui/look/use-theme.js";
import { followFocus } from "./ui/overlays/return-focus.js";
import "./ui/look/theme.css";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element for the application.");
applyTheme();
followFocus();
followLanguage();
followTheme();
const render = () =>
  createRoot(root).render(
    <StrictMode>
      <Root />
    </StrictMode>,
  );
// Without its script the language stays English. Not awaited: a module that waits is one whose chunks cannot be merged.
applyLanguage().then(render, render);
