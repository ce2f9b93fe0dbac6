import type { Rendered, SurfaceModel } from "./types.ts";

/**
 * Renders a further form of a document once per model instead of once per call.
 * @param render called with keys the surface has checked: there must be few of them.
 */
export function rememberForms(
  render: (model: SurfaceModel, key: string) => Rendered,
): (model: SurfaceModel, key: string) => Rendered {
  const kept = new WeakMap<SurfaceModel, Map<string, Rendered>>();
  return (model, key) => {
    const forms = kept.get(model) ?? new Map<string, Rendered>();
    kept.set(model, forms);
    const form = forms.get(key) ?? render(model, key);
    forms.set(key, form);
    return form;
  };
}
