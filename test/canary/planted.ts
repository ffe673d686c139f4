async function work(): Promise<number> {
  return 1;
}

type Light = 'red' | 'green';

export default function planted(light: Light, loose: any): number {
  work();
  [1, 2].forEach(async () => {
    await work();
  });
  switch (light) {
    case 'red':
      return loose;
  }
  return 0;
}

export async function waits(): Promise<void> {
  await 1;
}
