// Drives Microsoft's libdxcompiler.so to make SPIR-V.
//
// One job a line on standard input, fields separated by tabs: IN.hlsl OUT.spv, then the compiler's own arguments, one
// a field. The answer to each is a line on standard output, "ok" or "failed" and the output's path; the compiler's
// messages go to standard error. The exit status is 1 if any job failed.
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <dlfcn.h>
#define __EMULATE_UUID 1
#include "dxc/WinAdapter.h"
#include "dxc/dxcapi.h"

static bool run(IDxcCompiler3 *compiler, const std::vector<std::string> &fields) {
  std::ifstream in(fields[0], std::ios::binary);
  if (!in) return false;
  std::string source{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::wstring> words;
  for (size_t i = 2; i < fields.size(); i++) words.emplace_back(fields[i].begin(), fields[i].end());
  std::vector<LPCWSTR> arguments;
  for (const auto &word : words) arguments.push_back(word.c_str());

  DxcBuffer text{source.data(), source.size(), DXC_CP_UTF8};
  CComPtr<IDxcResult> result;
  if (FAILED(compiler->Compile(&text, arguments.data(), arguments.size(), nullptr, __uuidof(IDxcResult),
                               reinterpret_cast<void **>(&result))))
    return false;
  CComPtr<IDxcBlobEncoding> messages;
  if (SUCCEEDED(result->GetErrorBuffer(&messages)) && messages)
    std::cerr.write(static_cast<const char *>(messages->GetBufferPointer()), messages->GetBufferSize());
  HRESULT status = E_FAIL;
  CComPtr<IDxcBlob> code;
  if (FAILED(result->GetStatus(&status)) || FAILED(status) || FAILED(result->GetResult(&code))) return false;
  std::ofstream out(fields[1], std::ios::binary);
  out.write(static_cast<const char *>(code->GetBufferPointer()), code->GetBufferSize());
  return static_cast<bool>(out);
}

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  if (!library) {
    std::cerr << "usage: dxc-driver PATH-OF-libdxcompiler.so < JOBS\n";
    return 2;
  }
  auto create = reinterpret_cast<DxcCreateInstanceProc>(dlsym(library, "DxcCreateInstance"));
  CComPtr<IDxcCompiler3> compiler;
  if (!create || FAILED(create(CLSID_DxcCompiler, __uuidof(IDxcCompiler3), reinterpret_cast<void **>(&compiler))))
    return 2;

  bool failed = false;
  for (std::string line; std::getline(std::cin, line);) {
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string field; std::getline(parts, field, '\t');) fields.push_back(field);
    bool ok = fields.size() >= 2 && run(compiler, fields);
    failed |= !ok;
    std::cout << (ok ? "ok\t" : "failed\t") << (fields.size() >= 2 ? fields[1] : line) << std::endl;
  }
  return failed;
}
