// Certificates for the tests of TLS, made when they are asked for: an authority, and whom it vouches for.
#pragma once

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>

namespace transom {

class TlsFiles {
 public:
  // issuer: null for an authority.
  TlsFiles(const std::string& name, const TlsFiles* issuer) : key_(EVP_EC_gen("P-256")), certificate_(X509_new()) {
    std::string stem = testing::TempDir() + "transom-" + std::to_string(getpid()) + "-" + name;
    certificate = stem + ".pem";
    private_key = stem + ".key";
    X509_set_version(certificate_, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate_), next_serial());
    X509_gmtime_adj(X509_getm_notBefore(certificate_), -60);
    X509_gmtime_adj(X509_getm_notAfter(certificate_), 3600);
    X509_set_pubkey(certificate_, key_);
    X509_NAME* subject = X509_get_subject_name(certificate_);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name.c_str()), -1,
                               -1, 0);
    X509_set_issuer_name(certificate_, issuer == nullptr ? subject : X509_get_subject_name(issuer->certificate_));
    add_extension(NID_basic_constraints, issuer == nullptr ? "critical,CA:TRUE" : "critical,CA:FALSE");
    add_extension(NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1");
    EXPECT_GT(X509_sign(certificate_, issuer == nullptr ? key_ : issuer->key_, EVP_sha256()), 0);
    write();
  }
  ~TlsFiles() {
    unlink(certificate.c_str());
    unlink(private_key.c_str());
    X509_free(certificate_);
    EVP_PKEY_free(key_);
  }
  TlsFiles(const TlsFiles&) = delete;
  TlsFiles& operator=(const TlsFiles&) = delete;

  std::string certificate;
  std::string private_key;

 private:
  static long next_serial() {
    static long serial = 0;
    return ++serial;
  }

  void add_extension(int id, const char* value) {
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, id, value);
    X509_add_ext(certificate_, extension, -1);
    X509_EXTENSION_free(extension);
  }

  void write() const {
    using File = std::unique_ptr<FILE, int (*)(FILE*)>;
    PEM_write_X509(File(fopen(certificate.c_str(), "w"), fclose).get(), certificate_);
    PEM_write_PrivateKey(File(fopen(private_key.c_str(), "w"), fclose).get(), key_, nullptr, nullptr, 0, nullptr,
                         nullptr);
  }

  EVP_PKEY* key_;
  X509* certificate_;
};

}  // namespace transom
