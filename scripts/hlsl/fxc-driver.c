/* Drives Microsoft's d3dcompiler_47.dll under wine.
 *
 * One job a line on standard input, fields separated by tabs, paths relative to the working directory:
 *
 *   PROFILE ENTRY DEFINES FLAGS STRIP IN.hlsl OUT.dxbc OUT.asm
 *
 * DEFINES is a list NAME=VALUE,NAME=VALUE or "-" for none. FLAGS are D3DCOMPILE_* bits (any base that strtoul reads).
 * STRIP is a set of D3DCOMPILER_STRIP_* bits, 0 for none. OUT.asm receives D3DDisassemble's listing of the binary that
 * is written; "-" leaves it out. With "-" for PROFILE nothing is compiled: IN is a binary, which is listed with FLAGS as a
 * set of D3D_DISASM_* bits. The answer to each job is a line on standard output: "ok" and the output's path, or
 * "failed", the path and the HRESULT; the compiler's own messages then go to standard error. The exit status is
 * 1 if any job failed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define COBJMACROS
#include <windows.h>
#include <d3dcompiler.h>

static pD3DCompile compile_source;
static pD3DDisassemble disassemble;
static HRESULT(WINAPI *strip_shader)(const void *, SIZE_T, UINT, ID3DBlob **);

static char *load(const char *path, size_t *length) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  long n = ftell(f);
  fseek(f, 0, SEEK_SET);
  char *text = malloc(n > 0 ? n : 1);
  *length = text ? fread(text, 1, n, f) : 0;
  fclose(f);
  return text;
}

static HRESULT store(const char *path, ID3DBlob *blob, size_t length) {
  FILE *f = fopen(path, "wb");
  if (!f) return E_ACCESSDENIED;
  size_t written = fwrite(ID3D10Blob_GetBufferPointer(blob), 1, length, f);
  return fclose(f) == 0 && written == length ? S_OK : E_FAIL;
}

static HRESULT compile_job(char **field) {
  const char *profile = field[0], *entry = field[1], *in = field[5];
  UINT flags = strtoul(field[3], NULL, 0), strip = strtoul(field[4], NULL, 0);
  size_t length;
  char *source = load(in, &length);
  if (!source) return HRESULT_FROM_WIN32(ERROR_FILE_NOT_FOUND);
  if (!strcmp(profile, "-")) {
    ID3DBlob *text = NULL;
    HRESULT hr = disassemble(source, length, flags, NULL, &text);
    if (SUCCEEDED(hr)) hr = store(field[7], text, strlen(ID3D10Blob_GetBufferPointer(text)));
    if (text) ID3D10Blob_Release(text);
    free(source);
    return hr;
  }
  D3D_SHADER_MACRO defines[9] = {{NULL, NULL}};
  char *define = strcmp(field[2], "-") ? strtok(field[2], ",") : NULL;
  for (int i = 0; define && i < 8; i++, define = strtok(NULL, ",")) {
    char *value = strchr(define, '=');
    if (value) *value++ = 0;
    defines[i].Name = define;
    defines[i].Definition = value ? value : "1";
  }
  const char *slash = strrchr(in, '/');

  ID3DBlob *code = NULL, *messages = NULL, *listing = NULL;
  HRESULT hr = compile_source(source, length, slash ? slash + 1 : in, defines,
                              D3D_COMPILE_STANDARD_FILE_INCLUDE, entry, profile, flags, 0, &code, &messages);
  if (messages) {
    if (FAILED(hr)) fprintf(stderr, "%s", (char *)ID3D10Blob_GetBufferPointer(messages));
    ID3D10Blob_Release(messages);
  }
  if (SUCCEEDED(hr) && strip) {
    ID3DBlob *rest = NULL;
    hr = strip_shader(ID3D10Blob_GetBufferPointer(code), ID3D10Blob_GetBufferSize(code), strip, &rest);
    ID3D10Blob_Release(code);
    code = rest;
  }
  if (SUCCEEDED(hr)) hr = store(field[6], code, ID3D10Blob_GetBufferSize(code));
  int wanted = strcmp(field[7], "-");
  if (SUCCEEDED(hr) && wanted)
    hr = disassemble(ID3D10Blob_GetBufferPointer(code), ID3D10Blob_GetBufferSize(code), 0, NULL, &listing);
  /* The listing is a C string: its terminator stays out of the file. */
  if (SUCCEEDED(hr) && wanted) hr = store(field[7], listing, strlen(ID3D10Blob_GetBufferPointer(listing)));
  if (listing) ID3D10Blob_Release(listing);
  if (code) ID3D10Blob_Release(code);
  free(source);
  return hr;
}

int main(int argc, char **argv) {
  HMODULE dll = argc == 2 ? LoadLibraryA(argv[1]) : NULL;
  if (!dll) {
    fprintf(stderr, "usage: fxc-driver PATH-OF-d3dcompiler_47.dll < JOBS\n");
    return 2;
  }
  compile_source = (pD3DCompile)(void *)GetProcAddress(dll, "D3DCompile");
  disassemble = (pD3DDisassemble)(void *)GetProcAddress(dll, "D3DDisassemble");
  strip_shader = (void *)GetProcAddress(dll, "D3DStripShader");
  if (!compile_source || !disassemble || !strip_shader) return 2;

  static char line[4096];
  int failed = 0;
  while (fgets(line, sizeof line, stdin)) {
    char *field[8], *next = line;
    int n = 0;
    line[strcspn(line, "\r\n")] = 0;
    while (next && n < 8) {
      field[n++] = next;
      next = strchr(next, '\t');
      if (next) *next++ = 0;
    }
    if (n != 8) {
      printf("failed\t%s\tnot a job\n", line);
      failed = 1;
      continue;
    }
    HRESULT hr = compile_job(field);
    if (FAILED(hr)) {
      printf("failed\t%s\t%08lx\n", field[6], (unsigned long)hr);
      failed = 1;
    } else {
      printf("ok\t%s\n", field[6]);
    }
    fflush(stdout);
  }
  return failed;
}
