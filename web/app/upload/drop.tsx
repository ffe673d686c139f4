export function UploadDrop() {
  return null;
}
