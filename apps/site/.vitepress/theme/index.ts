import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import { VersionMenu } from "./version-menu.js";
import "./style.css";

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, undefined, {
      "nav-bar-content-after": () => h(VersionMenu),
      "nav-screen-content-after": () => h(VersionMenu),
    }),
};

export default theme;
