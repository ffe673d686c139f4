export function DemoCard() {
  return null;
}
