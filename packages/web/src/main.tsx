import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.js";
import { applyTheme } from "./ui/use-theme.js";
import "./ui/theme.css";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element for the application.");
applyTheme();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
