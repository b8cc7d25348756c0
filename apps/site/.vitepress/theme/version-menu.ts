import { useData } from "vitepress";
import { defineComponent, h, onMounted, ref } from "vue";

/** A version of the documentation that is kept. */
interface KeptVersion {
  readonly version: string;
  /** Relative to the newest one, with a slash at its end unless it is empty. */
  readonly path: string;
}

/** Leads to the other versions of the documentation, which the newest one lists. */
export const VersionMenu = defineComponent(() => {
  const { theme } = useData<{ readonly version: string; readonly newest: string }>();
  const { version, newest } = theme.value;
  const kept = ref<readonly KeptVersion[]>([]);
  onMounted(async () => {
    try {
      const response = await fetch(`${newest}versions.json`);
      if (response.ok) kept.value = readVersions(await response.json());
    } catch {
      // Without the list, the menu has only this version.
    }
  });
  const open = ({ target }: Event) => {
    if (target instanceof HTMLSelectElement) location.assign(`${newest}${target.value}`);
  };
  return () => {
    const others = kept.value.filter((one) => one.version !== version);
    return h("label", { class: "version-menu" }, [
      h("span", { class: "visually-hidden" }, "Version of the documentation"),
      h("select", { onChange: open }, [
        h("option", { selected: true, disabled: true }, version),
        ...others.map((one) => h("option", { value: one.path }, one.version)),
      ]),
    ]);
  };
});

function readVersions(list: unknown): readonly KeptVersion[] {
  return Array.isArray(list)
    ? list.flatMap(({ version, path }): KeptVersion[] =>
        typeof version === "string" && /^(?:[\w.-]+\/)?$/.test(path) ? [{ version, path }] : [],
      )
    : [];
}
