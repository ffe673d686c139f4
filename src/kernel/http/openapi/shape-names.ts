import { z } from 'zod';

const isShapeName = (name: string) => /^[A-Z][a-z]/.test(name) || /^[A-Z]\d/.test(name);

/**
 * The names of shapes, as the modules export them: they become the names of components in the API description,
 * so each name stands for one shape in all modules, and each shape has one name.
 */
export function shapeNamesOf(modules: readonly object[]): ReadonlyMap<z.ZodType, string> {
  const names = new Map<z.ZodType, string>();
  const shapes = new Map<string, z.ZodType>();
  for (const module of modules)
    for (const [name, shape] of Object.entries(module)) {
      if (!(shape instanceof z.ZodType) || !isShapeName(name)) continue;
      const [other, namesake] = [names.get(shape), shapes.get(name)];
      if (namesake !== undefined && namesake !== shape) throw new Error(`Two shapes are named ${name}.`);
      if (other !== undefined && other !== name) throw new Error(`The shape ${other} is also named ${name}.`);
      names.set(shape, name);
      shapes.set(name, shape);
    }
  return names;
}
